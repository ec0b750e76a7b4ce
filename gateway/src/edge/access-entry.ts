import { z } from 'zod';

/** Fields of a line of the access log; undefined values are omitted. */
export const accessEntry = {
	requestId: z.string().describe('Id of the request.'),
	traceId: z.string().optional().describe('Id of the trace.'),
	method: z.string().optional().describe('HTTP method.'),
	path: z.string().optional().describe('Path without its query.'),
	route: z.string().describe('Route that the path matched.'),
	status: z.int().describe('Status of the response; 499: the client disconnected first.'),
	durationMs: z.number().optional().describe('Duration in milliseconds.'),
	client: z.string().optional().describe('Client address.'),
	userId: z.string().optional().describe('UUID of the user.'),
	userAgent: z.string().optional().describe('User-Agent header, shortened.'),
	bytes: z.int().optional().describe('Bytes sent to the client, headers included.'),
	instance: z.string().optional().describe('Id of the instance that responded.'),
	upstreamMs: z.number().optional().describe('Time of all attempts in milliseconds.'),
	attempts: z.int().optional().describe('Number of attempts.'),
	cache: z.string().optional().describe('Use of the response cache.'),
	retriedAfter: z.string().optional().describe('Failure of the first attempt.'),
	failure: z.string().optional().describe('Failure of the request at the gateway.'),
	refused: z.string().optional().describe('Cause of a refusal by the HTTP parser.'),
};

export type AccessEntry = z.output<z.ZodObject<typeof accessEntry>>;

export type RecentExchange = AccessEntry & { readonly at: Date };
