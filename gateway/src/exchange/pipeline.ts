import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { failWith } from '@paddock/telemetry';
import { exchangeOf } from './exchange.ts';

/** 'handled' = the step has responded or will respond. Undefined = continue with the next step. */
type StepResult = 'handled' | undefined;

/** One step of the pipeline. An error that it throws becomes the response. */
export type Step = (req: IncomingMessage, res: ServerResponse) => StepResult | Promise<StepResult>;

/** Aborted when the client disconnects before it has received the response. */
export function disconnectSignal(res: ServerResponse): AbortSignal {
	const abort = new AbortController();
	res.once('close', () => {
		if (!res.writableFinished) abort.abort(new Error('The client disconnected.'));
	});
	return abort.signal;
}

/** Writes the response to a failed request. */
export type ErrorResponder = (error: unknown, req: IncomingMessage, res: ServerResponse) => void;

/**
 * Runs the steps in order, without a router: every request passes all of them, and Express would match the path for each
 * (docs/performance.md). The last step must handle the request.
 */
export function inOrder(steps: readonly Step[], respondError: ErrorResponder): RequestListener {
	function runFrom(start: number, req: IncomingMessage, res: ServerResponse): void {
		try {
			for (let index = start; index < steps.length; index += 1) {
				const result = steps[index]?.(req, res);
				if (result === undefined) continue;
				if (result !== 'handled') void continueAfter(result, index + 1, req, res);
				return;
			}
		} catch (error) {
			respondError(error, req, res);
		}
	}
	async function continueAfter(
		pending: Promise<StepResult>,
		next: number,
		req: IncomingMessage,
		res: ServerResponse,
	): Promise<void> {
		try {
			// 'close' fires once and may already have fired; later steps could not release what they take for the request.
			if ((await pending) === 'handled' || res.closed) return;
		} catch (error) {
			respondError(error, req, res);
			return;
		}
		runFrom(next, req, res);
	}
	return (req, res) => runFrom(0, req, res);
}

/** A step with a span of its own in recorded requests. */
export function stepWithSpan(name: string, step: Step): Step {
	return function stepWithSpan(req, res) {
		const span = exchangeOf(req).trace.span?.startChild(name, { kind: 'internal' });
		if (span === undefined) return step(req, res);
		try {
			const result = step(req, res);
			if (!(result instanceof Promise)) {
				span.end();
				return result;
			}
			const ended = result.catch((error: unknown) => {
				failWith(span, error);
				throw error;
			});
			return ended.finally(() => span.end());
		} catch (error) {
			failWith(span, error);
			span.end();
			throw error;
		}
	};
}
