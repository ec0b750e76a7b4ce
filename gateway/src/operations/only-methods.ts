import { apiError } from '@paddock/contract';
import type { NextFunction, Request, Response } from 'express';

/** Refuses other methods. It precedes the pages, because Express would respond to OPTIONS itself, without an envelope. */
export function onlyMethods(...allowed: string[]) {
	return function onlyMethods(req: Request, _res: Response, next: NextFunction): void {
		if (!allowed.includes(req.method))
			throw apiError('METHOD_NOT_ALLOWED', { headers: { Allow: allowed.join(', ') } });
		next();
	};
}
