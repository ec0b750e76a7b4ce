import { databaseContextSettings } from '@paddock/service/settings';
import type { z } from 'zod';
import { context } from '../context.ts';

/** Settings of this service. */
export const settings = databaseContextSettings(context);

export type SpecimensSettings = z.output<typeof settings>;
