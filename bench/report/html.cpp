#include "html.hpp"

#include "../summary.hpp"
#include "../wording.hpp"
#include "charts.hpp"
#include "families.hpp"
#include "format.hpp"
#include "style.hpp"
#include "tables.hpp"
#include "verdict.hpp"

#include <string>
#include <vector>

namespace bench {
namespace {

/// A sentence without markup.
void paragraph(std::ostream& out, const std::string& text, const char* style = nullptr) {
  out << "<p" << (style == nullptr ? "" : std::string(" class=\"") + style + "\"") << ">" << escape(text) << "</p>\n";
}

void heading(std::ostream& out, const std::string& text) { out << "<h2>" << escape(text) << "</h2>\n"; }

class Page {
 public:
  Page(std::ostream& out, const Results& results)
      : out_(out), results_(results), rivals_(rivals(results)), counts_(thread_counts(results)), most_(most_threads(results)) {}

  void write() {
    out_ << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>furca: benchmark</title>\n<style>\n"
         << page_sheet() << "</style>\n</head>\n<body>\n<main>\n";
    write_title();
    out_ << "<div class=\"pair\">\n<div>\n";
    if (!results_.rows.empty()) write_verdict();
    out_ << "</div>\n<div>\n";
    write_checks();
    if (!rivals_.empty()) write_rules();
    out_ << "</div>\n</div>\n";
    if (!rivals_.empty()) write_tallies(out_, results_);
    if (!rivals_.empty()) write_ratios();
    write_speedups();
    write_sweeps();
    write_overheads();
    if (!results_.rows.empty()) write_row_tables();
    if (!results_.figures.empty()) write_probes();
    out_ << "<div class=\"pair\">\n<div>\n";
    write_method();
    out_ << "</div>\n<div>\n";
    write_limits();
    out_ << "</div>\n</div>\n";
    write_setting();
    out_ << "</main>\n</body>\n</html>\n";
  }

 private:
  void write_title() {
    out_ << "<h1>furca: benchmark</h1>\n";
    paragraph(out_, caption(results_.setting), "soft");
  }

  void write_verdict() {
    const std::string notice = withheld_notice(results_.setting);
    if (!notice.empty()) paragraph(out_, notice, "verdict slower");
    if (rivals_.empty()) {
      paragraph(out_, serial_sentence(results_, most_), "verdict");
      paragraph(out_, "No other library was there when this was built: furca is compared with the serial code alone.");
      return;
    }
    const std::string& rival = rivals_.front();
    if (notice.empty()) {
      paragraph(out_, verdict_sentence(results_, rival, most_), "verdict");
      out_ << "<ul>\n";
      write_rows_with(Verdict::slower, "furca slower: ");
      write_rows_with(Verdict::faster, "furca faster: ");
      out_ << "</ul>\n";
    }
    paragraph(out_, means_sentence(results_, rival, most_));
    for (std::size_t i = 1; i < rivals_.size(); ++i) {
      const std::string verdict = notice.empty() ? verdict_sentence(results_, rivals_[i], most_) + " " : "";
      paragraph(out_, verdict + means_sentence(results_, rivals_[i], most_));
    }
  }

  /// What the ratios and the verdicts mean.
  void write_rules() {
    paragraph(out_, "Ratios are the other's time / furca time: 2 means that furca takes half the time, 0.5 that it takes twice the "
                    "time, and 1 is parity. Their bounds, " +
                        bounds_sentence(results_) + ".");
    if (!was_quiet(results_.setting)) return;
    out_ << "<ul>\n";
    for (const Rule& rule : kVerdictRules) out_ << "<li><b>" << rule.verdict << "</b>: " << escape(rule.meaning) << "</li>\n";
    out_ << "</ul>\n";
  }

  void write_rows_with(Verdict verdict, const char* introduction) {
    const std::string rows = list_rows(results_, rivals_.front(), verdict, 8);
    out_ << "<li><b class=\"" << style_of(verdict) << "\">" << introduction << "</b>" << escape(rows.empty() ? "no row" : rows)
         << "</li>\n";
  }

  void write_checks() {
    out_ << "<section class=\"box\"><h2>Can this run be believed?</h2>\n<ul>\n";
    for (const Check& check : checks(results_)) {
      out_ << "<li><b class=\"" << (check.passed ? "soft\">fine" : "slower\">caution") << "</b>" << escape(check.finding)
           << "</li>\n";
    }
    out_ << "</ul></section>\n";
  }

  /// Above what was measured: it says so if the machine was not quiet.
  void figures_heading(const std::string& text) { heading(out_, text + machine_mark(results_.setting)); }

  void write_ratios() {
    figures_heading("Is furca faster? Time of " + rivals_.front() + " / time of furca, " + format_count(most_, "thread"));
    out_ << ratio_chart(results_);
  }

  void write_speedups() {
    const std::string panels = speedup_panels(results_);
    if (panels.empty()) return;
    figures_heading("Does it scale? Speed-up over the serial code");
    paragraph(out_,
              "How many times faster than the serial code (upwards), by number of threads (to the right). The solid line at "
              "1 is the serial code. Every panel has its own scale.");
    out_ << panel_legend(results_, true) << panels;
  }

  void write_sweeps() {
    const std::string panels = sweep_panels(results_);
    if (panels.empty()) return;
    figures_heading("From which size does it pay? Time per call, " + format_count(most_, "thread"));
    paragraph(out_, "Below the serial curve, running in parallel gains time; above it, it loses time.");
    out_ << panel_legend(results_, false) << panels;
  }

  void write_overheads() {
    const std::string chart = overhead_chart(results_);
    if (chart.empty()) return;
    figures_heading("What does it cost where there is nothing to gain? One thread / serial");
    paragraph(out_, "The work overhead: 1 is the plain code, 2 takes twice its time.");
    out_ << chart;
  }

  void write_row_tables() {
    figures_heading("Times");
    paragraph(out_, "Medians over the rounds. Of a library's ways to run a workload the fastest counts, and its name is given.");
    for_counts("Times", write_times);
    figures_heading("Costs besides time");
    paragraph(
        out_,
        "Processor time of all threads as a ratio, peak memory of the process with its input, and its context switches in a "
        "run, voluntary / involuntary.");
    for_counts("Costs", write_costs);
  }

  /// A table for each number of threads; the largest is open.
  void for_counts(const std::string& name, void (*write_table)(std::ostream&, const Results&, unsigned)) {
    for (auto count = counts_.rbegin(); count != counts_.rend(); ++count) {
      out_ << "<details" << (*count == most_ ? " open" : "") << "><summary>" << name << ", " << format_count(*count, "thread")
           << "</summary>\n";
      write_table(out_, results_, *count);
      out_ << "</details>\n";
    }
  }

  void write_probes() {
    figures_heading("Behaviour, single operations, instructions");
    paragraph(out_, "Less is better everywhere.");
    write_figures(out_, results_);
  }

  void write_method() {
    heading(out_, "How it was measured");
    paragraph(
        out_,
        "A run has rounds. In a round every contender runs once on every row, a workload at one size, in random order and in a "
        "process of its own, so that no runtime's idle threads disturb another. The process sets up the input, warms up, "
        "calls the workload repeatedly and reports the median time per call. Every result is compared with that of the "
        "serial code.");
    paragraph(
        out_,
        "A ratio is taken within each round, so that what slows the machine for a while strikes both sides; shown is the median "
        "over the rounds. Of six rounds or more it has a 95\u00A0% interval, by the bootstrap; of fewer, the range of the rounds. "
        "furca takes part twice: the ratio between the two (A/A) shows how far apart equal programs come out here, and is each "
        "row's noise. Had other programs and the hypervisor more than 5\u00A0% of the processors, there is no verdict.");
  }

  void write_setting() {
    const Setting& s = results_.setting;
    heading(out_, "Where it was measured");
    out_ << "<dl>\n";
    item("date", s.date);
    item("processor", s.processor);
    item("processors online", std::to_string(s.processors));
    item("processors usable", std::to_string(s.affinity));
    item("processor quota", s.quota);
    item("kernel", s.kernel);
    item("load before", s.load_before);
    item("load after", s.load_after);
    item("stolen by the hypervisor", format_number(s.stolen_percent) + " %");
    item("used by other programs", format_number(s.others_percent) + " %");
    item("compiler", s.compiler);
    item("flags", s.flags);
    for (const std::string& version : s.versions) item("version", version);
    item("effort", s.effort);
    item("seed", std::to_string(s.seed));
    item("rounds", std::to_string(s.rounds));
    std::string threads;
    for (const unsigned count : s.threads) threads += (threads.empty() ? "" : ", ") + std::to_string(count);
    item("threads", threads);
    item("duration", fixed(s.seconds, 0) + " s");
    item("failures", std::to_string(results_.failures));
    out_ << "</dl>\n";
  }

  void item(const char* name, const std::string& value) {
    out_ << "<dt>" << name << "</dt><dd>" << escape(value.empty() ? "unknown" : value) << "</dd>\n";
  }

  void write_limits() {
    heading(out_, "What this cannot say");
    paragraph(out_,
              "How things are on another processor, with another number of processors, another compiler or another version of a "
              "library. Anything about differences of a few per cent: the layout of the code alone makes that much, and as it "
              "stays the same from run to run, no interval here shows it. How tasks fare that block, or that share the machine "
              "with other busy programs. A virtual machine's processors may be half a core each, which no program inside can "
              "see. A geometric mean weighs every row of its family the same, so that a workload with many sizes counts many "
              "times, and nobody's program is an average of rows: look for the row most like your work. These rows were chosen by the "
              "authors of furca.");
  }

  std::ostream& out_;
  const Results& results_;
  const std::vector<std::string> rivals_;
  const std::vector<unsigned> counts_;
  const unsigned most_;
};

}  // namespace

void write_html(std::ostream& out, const Results& results) { Page(out, results).write(); }

}  // namespace bench
