// A job that queues of tasks link through itself: tasks, mail, continuations.
#pragma once

#include <furca/detail/fork/job.hpp>

namespace furca::detail {

class LinkedJob : public Job {
 public:
  LinkedJob* next = nullptr;

 protected:
  using Job::Job;
  ~LinkedJob() = default;
};

}  // namespace furca::detail
