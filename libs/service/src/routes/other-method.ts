import { apiError } from '@paddock/contract';
import type { Request, RequestHandler, Response } from 'express';
import { endResponse } from '../http/http-messages.ts';
import { contextOf } from '../http/request-context.ts';
import type { RouteMethod } from './route.ts';

/** Responds to the other methods of `path`: to OPTIONS with the allowed ones, for any caller, else METHOD_NOT_ALLOWED. */
export function otherMethod(path: string, own: readonly RouteMethod[]): RequestHandler {
	const methods = own.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
	const allow = [...methods, 'OPTIONS'].join(', ');
	return function otherMethod(req: Request, res: Response): void {
		contextOf(req).route = path;
		if (req.method !== 'OPTIONS') throw apiError('METHOD_NOT_ALLOWED', { headers: { Allow: allow } });
		res.setHeader('Allow', allow);
		res.status(204);
		endResponse(res, undefined);
	};
}
