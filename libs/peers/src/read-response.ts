import { failureOfResponse } from '@paddock/upstream';
import { z } from 'zod';
import type { CallOutcome } from './call-outcome.ts';

// The envelope of every response; the caller's schema validates `data`.
const success = z.strictObject({
	success: z.literal(true),
	data: z.unknown(),
	message: z.string(),
	timestamp: z.string(),
});
const failure = z.object({ success: z.literal(false), data: z.object({ code: z.string() }) });

interface PeerResponse {
	readonly status: number;
	/** The dependency because of which the instance can't respond, from `X-Failed-Part`. */
	readonly failedPart: unknown;
	readonly body: string;
}

/** Classifies a complete response: `data` parsed by the schema, or the kind of failure. */
export function readResponse({ status, failedPart, body }: PeerResponse, schema: z.ZodType): CallOutcome {
	if (status === 200 || status === 201) return readSuccess(body, schema);
	const outage = failureOfResponse(status, failedPart);
	if (outage !== undefined) {
		const part = failedPart === undefined ? '' : ` for ${failedPart}`;
		return { kind: outage, cause: new Error(`It responded with ${status}${part}.`) };
	}
	const code = codeOf(body);
	if (status === 404 && code === 'NOT_FOUND') return { kind: 'notFound' };
	if (status === 401) return { kind: 'unauthenticated' };
	return {
		kind: 'refused',
		cause: new Error(`It responded with ${status} ${code ?? 'without an envelope'}.`),
	};
}

function readSuccess(body: string, schema: z.ZodType): CallOutcome {
	const envelope = success.safeParse(parsed(body));
	if (!envelope.success) return { kind: 'unusable', cause: new Error('The response is not an envelope.') };
	const data = schema.safeParse(envelope.data.data);
	if (data.success) return { kind: 'responded', data: data.data };
	// Only path and code: the values are personal data, which must not be logged.
	const issues = data.error.issues.map(({ path, code }) => `${path.join('.') || '(data)'}: ${code}`);
	return {
		kind: 'unusable',
		cause: new Error(`The data has another shape. ${issues.slice(0, 10).join('; ')}`),
	};
}

function codeOf(body: string): string | undefined {
	return failure.safeParse(parsed(body)).data?.data.code;
}

function parsed(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return undefined; // Not JSON, so not an envelope either; the caller reports that.
	}
}
