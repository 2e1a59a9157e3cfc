"""What a person reads and types."""

from .board import board
from .log import log_lines
from .names import seat_name
from .prompts import next_prompt, prompt
from .refusals import refusal
from .sentences import CODES, sentence
