"""What a person reads and types."""

from .board import board
from .explanations import explain
from .log import TOLD_ELSEWHERE, log_lines
from .prompts import chapter, next_prompt, prompt
from .reasons import REASONS, reasons
from .refusals import refusal
from .sentences import CODES, sentence
