#define N 7
byte readers;
bool writing;
active [N] proctype Reader() {
  do
  :: true;
     d_step { !writing -> readers = readers + 1 };
     readers = readers - 1
  od
}
active [3] proctype Writer() {
  byte version;
  do
  :: true;
     d_step { !writing && readers == 0 -> writing = 1 };
     d_step { writing = 0; version = (version + 1) % 4 }
  od
}
