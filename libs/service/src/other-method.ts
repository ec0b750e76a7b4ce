import { apiError, successEnvelope } from '@paddock/contract';
import type { Request, RequestHandler, Response } from 'express';
import { contextOf } from './request-context.ts';
import type { RouteMethod } from './route.ts';

/** Responds to the other methods of `path`: to OPTIONS with the allowed ones, else METHOD_NOT_ALLOWED. */
export function otherMethod(
	path: string,
	own: readonly RouteMethod[],
	{ now, refusesOptions = false }: { readonly now: () => Date; readonly refusesOptions?: boolean },
): RequestHandler {
	const methods = own.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
	const allowed = refusesOptions ? methods : [...methods, 'OPTIONS'];
	const allow = allowed.join(', ');
	return function otherMethod(req: Request, res: Response): void {
		contextOf(req).route = path;
		if (refusesOptions || req.method !== 'OPTIONS')
			throw apiError('METHOD_NOT_ALLOWED', { headers: { Allow: allow } });
		res.setHeader('Allow', allow);
		res.json(successEnvelope({ allow: allowed }, 'Allowed methods', now()));
	};
}
