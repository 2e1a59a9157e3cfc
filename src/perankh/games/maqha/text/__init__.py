"""What a person reads and types in Maqha."""

from .board import board
from .explanations import explain
from .log import TOLD_ELSEWHERE, log_lines
from .names import CODES
from .outlooks import outlook
from .prompts import answer_at, chapter, default_answer, next_prompt, prompt, time_to_answer
from .reasons import REASONS, reasons
from .refusals import refusal
from .sentences import sentence
