// Runs pytest in Pyodide, which is CPython compiled to WebAssembly, on Node: make test-pyodide.
//
// node run.mjs PACKAGES PROJECT DATA ARGUMENT...
//
// PACKAGES: a directory with the installed packages. PROJECT: this checkout. DATA: the cases of
// web-platform-tests. The arguments go to pytest, and its exit code is ours.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadPyodide } from "pyodide";

const [packages, project, data, ...args] = process.argv.slice(2);
const environment = {
  HOME: "/tmp",
  WPT_URL_RESOURCES: "/wpt/url/resources",
  PYTHONDONTWRITEBYTECODE: "1",
  // Node's loop counts as one of asyncio that always runs, so Django would refuse its database.
  DJANGO_ALLOW_ASYNC_UNSAFE: "true",
};
for (const name of ["HYPOTHESIS_PROFILE", "WEBURL_EXPECTED_BUILD"]) {
  if (process.env[name]) environment[name] = process.env[name];
}
const pyodide = await loadPyodide({ env: environment });
for (const [path, directory] of [
  ["/packages", packages],
  ["/project", project],
  ["/wpt/url/resources", data],
  ["/wpt/urlpattern/resources", join(data, "..", "..", "urlpattern", "resources")],
]) {
  if (existsSync(directory)) {
    pyodide.FS.mkdirTree(path);
    pyodide.mountNodeFS(path, directory);
  }
}
pyodide.globals.set("pytest_arguments", pyodide.toPy(args));
const code = pyodide.runPython(`
import os
import sys
import unicodedata

sys.path[:0] = ["/packages"]
sys.path += ["/project", "/project/.ci"]
os.chdir("/project")
import pytest
import weburl

assert weburl.__file__.startswith("/packages/"), weburl.__file__
print("Python", sys.version.split()[0], "on", sys.platform, "with Unicode", unicodedata.unidata_version)
int(pytest.main(["-p", "tests.pyodide.plugin", *pytest_arguments]))
`);
process.exit(code);
