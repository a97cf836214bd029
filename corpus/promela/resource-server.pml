/* A server creates an agent for each request and hands it the client's own channel; the agent grants the resource, waits
   for it to come back, and dies. Processes die from the last one on, so agents that have ended may still be there. */
/* expect: deadlock-free holds */
/* expect: 435 states */
#define CLIENTS 2
#define AGENTS 3

mtype = { request, grant, back };

chan server = [0] of { mtype, chan };
bool busy;

proctype Agent(chan client) {
  atomic { !busy -> busy = true };
  client!grant;
  client?back;
  busy = false
}

active proctype Server() {
  chan client;
end:
  do
  :: server?request(client) ->
     atomic {
       _nr_pr < 1 + CLIENTS + AGENTS -> run Agent(client)
     }
  od
}

active [CLIENTS] proctype Client() {
  chan mine = [0] of { mtype };
  do
  :: server!request(mine);
     mine?grant;
     assert(busy);
     mine!back
  od
}
