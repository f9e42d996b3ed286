// A loop over a column in Arrow's layout that calls Ada, as `bench_columns` compiles it.
#include <cstdint>
#include <cstring>

#include "ada.h"

// Write what `job` makes of each row, and its end; -1 in place of the end if the row is not a URL.
// Return how many bytes were written. `out` has room for them.
extern "C" int64_t ada_column(const char *job, const char *data, const int32_t *offsets, int64_t length,
                              char *out, int64_t *ends) {
  int64_t used = 0;
  const bool only_parses = !strcmp(job, "can_parse");
  const char kind = job[0];  // canonicalize, host, origin, path, query
  for (int64_t row = 0; row < length; row++) {
    const std::string_view text(data + offsets[row], offsets[row + 1] - offsets[row]);
    if (only_parses) {
      ends[row] = ada::can_parse(text) ? used : -1;
      continue;
    }
    const auto url = ada::parse<ada::url_aggregator>(text);
    if (!url) {
      ends[row] = -1;
      continue;
    }
    std::string origin;
    std::string_view made;
    switch (kind) {
      case 'c': made = url->get_href(); break;
      case 'h': made = url->get_hostname(); break;
      case 'o': made = origin = url->get_origin(); break;
      case 'p': made = url->get_pathname(); break;
      default: made = url->get_search();
    }
    memcpy(out + used, made.data(), made.size());
    ends[row] = used += made.size();
  }
  return used;
}
