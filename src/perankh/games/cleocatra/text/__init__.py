"""What people read of Cleocatra, and the notation."""

from .board import board
from .explanations import explain
from .log import TOLD_ELSEWHERE, log_lines
from .names import CODES
from .prompts import chapter, next_prompt, prompt
from .reasons import REASONS, reasons
from .refusals import refusal
from .sentences import sentence
