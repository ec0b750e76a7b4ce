import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** 'taken' = the step has answered, or will; the way ends here. Undefined = on to the next. */
type Verdict = 'taken' | undefined;

/** One step of a request's way. What it throws becomes the answer. */
export type Step = (req: IncomingMessage, res: ServerResponse) => Verdict | Promise<Verdict>;

/** Gives a failed request its answer. */
export type Failed = (error: unknown, req: IncomingMessage, res: ServerResponse) => void;

/**
 * Steps in their order, without a router: every request takes all of them, and Express would ask each whether its path
 * matches (docs/performance.md). The last must take the request.
 */
export function inOrder(steps: readonly Step[], failed: Failed): RequestListener {
	function runFrom(start: number, req: IncomingMessage, res: ServerResponse): void {
		try {
			for (let at = start; at < steps.length; at += 1) {
				const verdict = steps[at]?.(req, res);
				if (verdict === undefined) continue;
				if (verdict !== 'taken') void goOnAfter(verdict, at + 1, req, res);
				return;
			}
		} catch (error) {
			failed(error, req, res);
		}
	}
	async function goOnAfter(
		waiting: Promise<Verdict>,
		next: number,
		req: IncomingMessage,
		res: ServerResponse,
	): Promise<void> {
		try {
			// Who left meanwhile closes nothing any more: what the next steps took for the request, they would keep.
			if ((await waiting) === 'taken' || res.closed) return;
		} catch (error) {
			failed(error, req, res);
			return;
		}
		runFrom(next, req, res);
	}
	return (req, res) => runFrom(0, req, res);
}
