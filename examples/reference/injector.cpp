// The injector by itself, in use.
#include "../expect.hpp"

#include <furca/injector.hpp>

namespace {

//! [Linked]
struct Request {
  int number = 0;
  Request* next = nullptr;  // used by the injector while the request is in it
};
static_assert(furca::Linked<Request>);
//! [Linked]

}  // namespace

int main() {
  Request requests[4] = {{1}, {2}, {3}, {4}};
  int served = 0;
  //! [Injector]
  furca::Injector<Request> door;
  door.push(requests[0]);  // any thread
  door.push(requests[1]);
  while (Request* request = door.pop()) served += request->number;  // any thread: the oldest
  //! [Injector]
  examples::expect(served == 3 && door.empty() && !door.can_pop(), "both were served");

  requests[3].next = &requests[2];
  door.push_chain(requests[3], requests[2]);
  const Request* const oldest = door.pop_chain(2);
  examples::expect(oldest == &requests[2] && oldest->next == &requests[3], "a chain in one go");
  return examples::unexpected;
}
