/**
 * The number of lines that this process has dropped since its start. One for the process, as stdout is: the logger exists
 * before any metrics do.
 */
export const droppedLines = { count: 0 };
