"""What a person reads and types in Maqha."""

from .board import board
from .log import log_lines
from .names import CODES, seat_name
from .prompts import answer_at, default_answer, next_prompt, prompt, time_to_answer
from .refusals import refusal
from .sentences import sentence
