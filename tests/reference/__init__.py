"""The URL Standard's parsing algorithms written literally, as an oracle for `weburl`.

Every function here follows the steps of one algorithm of the standard in their order, with the
step numbers beside them; clarity of that correspondence is the only aim. Of `weburl` it uses
Unicode ToASCII and legacy encodings alone: never its parser, hosts, paths, sets or setters.
"""
