import { successEnvelope } from '@paddock/contract';
import { z } from 'zod';
import { endResponse } from '../http/http-messages.ts';
import type { Access } from './access.ts';
import type { Deprecation } from './deprecation.ts';
import { type ParameterSchema, type ResponseWriter, type Route, routesWith } from './route.ts';

interface Move {
	/** The former path, as in OpenAPI. */
	readonly path: `/${string}`;
	/** The current path; the former path's `{parameters}` may appear in it and in its query. */
	readonly to: `/${string}`;
	readonly operationId: string;
	readonly tag: string;
	/** That of the operation at the current path. */
	readonly access: Access;
	readonly params?: ParameterSchema;
	readonly deprecated: Omit<Deprecation, 'successor'>;
}

const moved = z
	.strictObject({ location: z.string().describe('The current address, as in `Location`.') })
	.meta({
		id: 'Moved',
		description: 'The current address of a moved resource.',
		example: { location: '/docs' },
	});

/** A former GET address: redirects permanently to the current one (308), with the query of the request. */
export function movedRoute({ path, to, tag, params, deprecated, ...move }: Move): Route<unknown> {
	return routesWith<unknown>(tag)({
		...move,
		method: 'get',
		readers: 'everyone',
		path,
		summary: `Moved to ${to}`,
		...(params === undefined ? {} : { params }),
		// The operation at the current address checks it.
		query: z.looseObject({}),
		output: moved,
		status: 308,
		message: 'Moved permanently',
		location: ({ location }) => location,
		cacheControl: 'private, max-age=3600',
		deprecated: { ...deprecated, successor: `GET ${to}` },
		handler: ({ params: values = {}, query }) => {
			const target = to.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
				encodeURIComponent(String(values[name])),
			);
			const search = new URLSearchParams(query as Record<string, string>).toString();
			const separator = to.includes('?') ? '&' : '?';
			return { location: search === '' ? target : `${target}${separator}${search}` };
		},
	});
}

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
