#!/usr/bin/env python3
"""wrong_calls_test.py COMPILER [ARGUMENT...]: wrong_calls.py can fail."""
import os
import sys
import tempfile
import unittest

import wrong_calls

RIGHT = 'furca::version();'
WRONG = 'furca::parallel_sort(1);'
SAYS = '// furca: write sort(v)'


class Judge(unittest.TestCase):
    def judged(self, *lines, outside=''):
        with tempfile.TemporaryDirectory() as directory:
            source = os.path.join(directory, 'calls.cpp')
            with open(source, 'w', encoding='utf-8') as file:
                file.write(
                    '\n'.join(
                        ['#include <furca/version.hpp>', outside, 'void wrong() {']
                        + ['  ' + line for line in lines]
                        + ['}', '']
                    )
                )
            return wrong_calls.check(source, COMPILER)

    def test_a_wrong_call_that_is_told_so_passes(self):
        self.assertEqual(self.judged(SAYS, WRONG), [])

    def test_a_call_that_compiles_fails(self):
        self.assertIn('says nothing', self.judged(SAYS, 'static_cast<void>(furca::version());')[0])

    def test_other_words_fail(self):
        self.assertIn('the first error is', self.judged('// furca: write merge(v)', WRONG)[0])

    def test_words_of_a_later_error_fail(self):
        self.assertIn('the first error is', self.judged(SAYS, 'unknown(); ' + WRONG)[0])

    def test_many_errors_fail(self):
        self.assertIn(
            'are not read', self.judged(SAYS, WRONG, *[f'unknown{i}();' for i in range(4)])[0]
        )

    def test_an_error_outside_of_cases_fails(self):
        self.assertIn('outside', self.judged(SAYS, WRONG, outside='void right() { unknown(); }')[0])

    def test_a_source_without_cases_fails(self):
        self.assertIn('no cases', self.judged(RIGHT)[-1])


if __name__ == '__main__':
    COMPILER = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
