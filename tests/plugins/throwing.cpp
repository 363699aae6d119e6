/* A function that throws through its caller, who is written in C. */
#include <stdexcept>

extern "C" void throw_something(void) { throw std::runtime_error("not today"); }
