/** OETO: the Austrian tournament rules; FEI: the international ones. */
export const rulesets = ['OETO', 'FEI'] as const;

export type Ruleset = (typeof rulesets)[number];
