import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { failWith } from '@paddock/telemetry';
import type { Exchange } from './exchange.ts';

/** 'handled' = the step has responded or will respond. Undefined = continue with the next step. */
type StepResult = 'handled' | undefined;

/** One step of the pipeline. An error that it throws becomes the response. */
export type Step = (
	exchange: Exchange,
	req: IncomingMessage,
	res: ServerResponse,
) => StepResult | Promise<StepResult>;

/** Aborted when the client disconnects before it has received the response. */
export function disconnectSignal(res: ServerResponse): AbortSignal {
	const abort = new AbortController();
	res.once('close', () => {
		if (!res.writableFinished) abort.abort(new Error('The client disconnected.'));
	});
	return abort.signal;
}

/** Writes the response to a failed request. @param exchange undefined if it could not be created */
export type ErrorResponder = (
	error: unknown,
	exchange: Exchange | undefined,
	req: IncomingMessage,
	res: ServerResponse,
) => void;

export function requestListener(
	begin: (req: IncomingMessage) => Exchange,
	steps: readonly Step[],
	respondError: ErrorResponder,
): RequestListener {
	const run = inOrder(steps, respondError);
	return function requestListener(req, res) {
		let exchange: Exchange;
		try {
			exchange = begin(req);
		} catch (error) {
			respondError(error, undefined, req, res);
			return;
		}
		run(exchange, req, res);
	};
}

/** Runs the steps in order, without a router (docs/performance.md). The last step must handle the request. */
export function inOrder(
	steps: readonly Step[],
	respondError: ErrorResponder,
): (exchange: Exchange, req: IncomingMessage, res: ServerResponse) => void {
	function runFrom(start: number, exchange: Exchange, req: IncomingMessage, res: ServerResponse): void {
		try {
			for (let index = start; index < steps.length; index += 1) {
				const result = steps[index]?.(exchange, req, res);
				if (result === undefined) continue;
				if (result !== 'handled') void continueAfter(result, index + 1, exchange, req, res);
				return;
			}
		} catch (error) {
			respondError(error, exchange, req, res);
		}
	}
	async function continueAfter(
		pending: Promise<StepResult>,
		next: number,
		exchange: Exchange,
		req: IncomingMessage,
		res: ServerResponse,
	): Promise<void> {
		try {
			// 'close' fires once and may already have fired; later steps could not release what they take for the request.
			if ((await pending) === 'handled' || res.closed) return;
		} catch (error) {
			respondError(error, exchange, req, res);
			return;
		}
		runFrom(next, exchange, req, res);
	}
	return (exchange, req, res) => runFrom(0, exchange, req, res);
}

/** A step with a span of its own in recorded requests. */
export function stepWithSpan(name: string, step: Step): Step {
	return function stepWithSpan(exchange, req, res) {
		const span = exchange.trace.span?.startChild(name, { kind: 'internal' });
		if (span === undefined) return step(exchange, req, res);
		try {
			const result = step(exchange, req, res);
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
