/* The same comparison in double, where it must hold to 1e-12. */
#include "test_oracle.c"
