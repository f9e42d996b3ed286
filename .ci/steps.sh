# Sourced by `.ci/run` and `.ci/nightly`: names each step, and prints at the end how long each took.

: "${STEP_TIMES:=$(mktemp)}"
_step='' _began=0

# Ends the step that runs, if any, and writes down its time.
end_step() {
  if [ -n "$_step" ]; then
    printf '%3d:%02d  %s\n' $(((SECONDS - _began) / 60)) $(((SECONDS - _began) % 60)) "$_step" >>"$STEP_TIMES"
  fi
  _step=''
}

# Begins a step, and ends the one before it.
step() {
  end_step
  _step=$* _began=$SECONDS
  printf '\n=== %s ===\n' "$_step"
}

# Prints the table of all steps, and what they took together.
print_times() {
  end_step
  printf '\n=== how long each step took, in minutes ===\n'
  cat "$STEP_TIMES"
  printf '%3d:%02d  all\n' $((SECONDS / 60)) $((SECONDS % 60))
}
