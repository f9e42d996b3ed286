"""What the tests show about SECURITY.md: who tests its promises, and the bugs that were found.

`tests/test_trust_document.py` checks that all of these tests exist.
"""

from __future__ import annotations

from typing import Final

PROMISES: Final[dict[str, tuple[str, ...]]] = {
    "it parses as the standard says, and the result is stable": (
        "test_every_url_of_web_platform_tests_is_parsed_as_expected",
        "test_they_agree_on_every_url_of_web_platform_tests",
        "test_a_record_of_the_parser_is_made_again_by_its_constructor_and_by_its_href",
    ),
    "only documented exceptions": (
        "test_a_target_holds_on_its_seeds",
        "test_a_record_of_the_parser_is_made_again_by_its_constructor_and_by_its_href",
        "test_no_other_exception_comes_out",
        "test_a_form_field_cleans_or_says_why_not",
    ),
    "time and memory": (
        "test_a_megabyte_of_anything_takes_linear_time",
        "test_what_is_hostile_and_huge_is_rendered",
        "test_memory_is_at_most_twenty_times_the_input",
        "test_memory_is_flat_however_often_a_function_is_called",
        "test_sessions_take_no_memory_once_they_are_closed",
    ),
    "no password and no username in a message": (
        "test_no_public_function_says_a_secret_where_any_parser_may_see_credentials",
        "test_no_reading_says_a_secret",
        "test_no_error_of_a_pattern_says_a_secret",
        "test_no_match_of_a_pattern_says_a_secret",
        "test_no_redirect_uri_says_a_secret",
        "test_no_refused_argument_says_a_secret",
        "test_no_refused_fetch_says_a_secret",
        "test_no_record_that_was_changed_says_a_secret",
        "test_no_link_says_a_secret",
        "test_no_key_says_a_secret",
        "test_no_command_says_a_secret_in_an_error",
        "test_no_form_says_a_secret",
        "test_no_validator_and_no_model_field_says_a_secret",
        "test_the_admin_says_a_secret_only_in_the_field",
        "test_no_error_of_a_serializer_says_a_secret",
    ),
    "what shows URLs shows no credentials, and no misleading host": (
        "test_no_rendering_shows_credentials",
        "test_filters_that_show_a_url_show_no_credentials",
        "test_a_label_that_may_mislead_is_not_shown",
    ),
    "values go to the database as parameters": (
        "test_no_value_is_in_the_sql",
        "test_the_sql_holds_nothing_that_needs_care",
        "test_hostile_operands_are_no_trouble",
    ),
}
"""The promises of SECURITY.md in their order, with their tests."""

BUGS: Final[dict[str, tuple[str, ...]]] = {
    "render took 43 seconds for 29 kB of labels": ("test_what_is_hostile_and_huge_is_rendered",),
    "a page of 245 kB with a long base URL took 1.2 GB": (
        "test_a_long_base_url_and_many_short_links_are_refused",
    ),
    "a page of 100 kB whose tags imply others took a gigabyte": (
        "test_tags_that_imply_hundreds_of_elements_each_are_refused",
    ),
    "the error of a link kept its stack frames alive": (
        "test_a_link_that_does_not_parse_keeps_no_frames",
    ),
    "messages, reprs and weburl check showed passwords": ("test_no_error_has_a_password_in_it",),
    "render showed A for %41, a different URL": ("test_a_rendering_parses_to_the_url_it_shows",),
    "decoding a text took 190 times its size": ("test_memory_is_at_most_twenty_times_the_input",),
    "registrable_domain(…, workers=2) hung without a __main__ guard": (
        "test_workers_do_not_hang_in_a_script_without_a_guard",
    ),
    "--overwrite followed planted links": ("test_an_output_is_replaced_only_if_it_is_asked_for",),
    "another user's file or folder was used as OUTPUT.partial": (
        "test_no_other_user_can_use_the_folder_of_an_unfinished_output",
    ),
    "messages about broken files showed their first bytes": (
        "test_a_link_to_a_file_of_the_system_shows_nothing_of_it",
    ),
    "a CSV of 65 kB that unpacks to 64 MB aborted weburl columns": (
        "test_a_long_line_is_a_row_and_one_that_is_too_long_is_refused",
    ),
    "a Parquet file of 50 kB was read in batches of 32 GB": (
        "test_a_small_file_that_unfolds_to_much_is_stopped",
    ),
    "a part of a column raised OverflowError for URLs of more than 2 GB": (
        "test_a_short_part_of_more_than_2_gb_of_urls_has_room",
    ),
    "the viewer answered 500 to a form with a wrong row": (
        "test_a_form_with_a_wrong_row_is_refused",
    ),
    "a report on 5 MB of < was a page of 60 MB": (
        "test_of_a_long_text_a_page_shows_the_start_and_says_how_much_is_left_out",
    ),
    "a rule of 64 kB in a public suffix list took half a gigabyte": (
        "test_a_rule_that_no_name_of_the_dns_can_match_is_refused",
    ),
    "linkify_html took 12 kB for each link": ("test_a_link_in_html_takes_little_memory",),
    "a label of 64 letters passed URLPolicy.webhook()": (
        "test_a_name_that_no_resolver_takes_is_not_fetched",
    ),
    "the admin with facets answered 500 for a row that does not parse": (
        "test_no_row_breaks_a_page_of_the_admin",
    ),
    "SafeRedirectURLMixin allowed https://testserver:80/": (
        "test_the_mixin_and_the_function_have_one_rule",
        "test_another_default_port_is_another_place",
    ),
    "a second interpreter could not import the compiled build": (
        "test_a_second_interpreter_of_a_process_can_use_the_package",
    ),
    "10 MB of empty gzip members took minutes to measure": (
        "test_many_empty_members_are_refused",
        "test_half_a_million_empty_members_are_refused",
    ),
    "HTTP clients unpacked 1 kB to 1.2 GB, or read a byte a second without an end": (
        "test_a_compressed_answer_is_not_unpacked",
        "test_an_answer_of_a_byte_at_a_time_ends_at_the_deadline",
        "test_a_server_that_reads_slowly_does_not_hold_a_request",
    ),
    "aiohttp unpacked 280 MB where 1 MB was allowed, and kept answers to no request": (
        "test_a_bomb_is_not_in_memory",
        "test_aiohttp_ends_a_connection_that_answers_by_itself",
    ),
    "threads that shared a pattern could get RuntimeError, for texts that need many states": (
        "test_a_set_may_be_stored_while_all_are_forgotten",
    ),
    "registering lists or policies for each DuckDB connection took memory each time": (
        "test_equal_lists_and_policies_may_be_registered_for_every_connection",
    ),
}
"""What attacks found, with the tests that fail if it comes back. All are fixed."""
