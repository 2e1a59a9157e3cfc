"""What people read of Cleocatra, and the notation."""

from .board import board
from .log import log_lines
from .names import CODES, seat_name
from .prompts import next_prompt, prompt
from .refusals import refusal
from .sentences import sentence
