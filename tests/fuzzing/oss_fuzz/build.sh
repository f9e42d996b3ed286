#!/bin/bash -eu
# Makes one fuzzer of each target, with its seeds, for OSS-Fuzz.
export WPT_URL_RESOURCES="$SRC/wpt/url/resources"
pip3 install '.[html]' --group test --group demo
for target in $(python3 -c 'from tests.fuzzing.targets import TARGETS; print(*TARGETS)'); do
  cat > "fuzz_$target.py" <<PYTHON
import sys
from tests.fuzzing.__main__ import fuzz_here
fuzz_here("$target", sys.argv[1:])
PYTHON
  compile_python_fuzzer "fuzz_$target.py" --collect-all weburl --collect-all django_whatwg_url \
    --collect-all tests --collect-all turbohtml --collect-all publicsuffixlist --collect-all idna
  python3 -c "from tests.fuzzing.__main__ import write_seeds; print(write_seeds('$target'))"
  (cd ".fuzzing/$target" && zip -q "$OUT/fuzz_${target}_seed_corpus.zip" ./*)
done
