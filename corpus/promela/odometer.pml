/* Types are as wide as they are: what is written is cut to fit, what is computed is not. A `bool` is one bit: an even number
   is false. */
/* expect: deadlock-free holds */
/* expect: 70 states */
byte small = 250;
bit flag = 1;
unsigned three : 3 = 6;
short middle = 32760;
int large = 2147483647;
bool again;

active proctype Count() {
  do
  :: small == 4 -> break
  :: else ->
     assert(small + 10 > 255 || small < 250);
     small++;
     three = three + 3;
     flag++;
     middle = middle + 10
  od;
  assert(small == 4 && three == 4 && flag == 1 && middle == -32676);
  large++;
  assert(large < 0 && large - 1 > 0);
  large = -7;
  assert(large / 2 == -3 && large % 2 == -1 && large >> 1 == -4);
  again = 6;
  assert(again == 0)
}
