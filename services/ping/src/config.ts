import { contextPort, processRules, serviceSettings, withRules } from '@paddock/service/settings';
import { z } from 'zod';
import { context } from '../context.ts';

export const settings = withRules(z.object({ ...serviceSettings, PORT: contextPort(context) }), processRules);
