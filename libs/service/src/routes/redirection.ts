import { successEnvelope } from '@paddock/contract';
import { z } from 'zod';
import { endResponse } from '../http/http-messages.ts';
import type { ResponseWriter } from './route.ts';

export const redirectionSchema = z
	.strictObject({ location: z.string().describe('The address, as in `Location`.') })
	.meta({
		id: 'Redirection',
		description: 'Where the browser continues.',
		example: { location: 'https://paddock.example.org/app/sign-in' },
	});

/** Sends the browser to another address, with a cookie if given. */
export function redirection(to: {
	readonly location: string;
	readonly message: string;
	readonly cookie?: string;
	readonly now: Date;
}): ResponseWriter {
	const { location, message, cookie, now } = to;
	const body = JSON.stringify(successEnvelope({ location }, message, now));
	return (res) => {
		res.setHeader('Location', location);
		if (cookie !== undefined) res.setHeader('Set-Cookie', cookie);
		res.setHeader('Content-Type', 'application/json; charset=utf-8');
		res.setHeader('Content-Length', Buffer.byteLength(body));
		res.status(302);
		endResponse(res, res.req.method === 'HEAD' ? undefined : body);
	};
}
