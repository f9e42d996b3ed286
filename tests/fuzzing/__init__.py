"""What goes on looking for mistakes: coverage-guided fuzzing, by ``make fuzz``."""
