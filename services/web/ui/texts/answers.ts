import { filled } from '@cadastre/pages';

/**
 * Translations of the API's sentences, by the English sentence; `{…}` in both stands for the values that the API
 * inserts.
 */
export type Answers = Readonly<Record<string, string>>;

const PLACE = /\{(\w+)\}/g;
/** Longer texts are not translated: none of the API's sentences is as long. */
const LONGEST = 1_000;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A pattern for the sentence with any values inserted. */
function patternOf(sentence: string): RegExp {
  // `split` puts the captured names between the parts.
  const parts = sentence.split(PLACE).map((part, i) => (i % 2 === 0 ? escaped(part) : `(?<${part}>.+?)`));
  return new RegExp(`^${parts.join('')}$`, 's');
}

/** Translates what the API says, if there is a translation of the sentence. */
export function answering(answers: Answers): (text: string) => string {
  let patterns: { pattern: RegExp; said: string }[] | undefined;
  return (text) => {
    if (Object.hasOwn(answers, text)) return answers[text]!;
    if (text.length > LONGEST) return text;
    patterns ??= Object.entries(answers).flatMap(([sentence, said]) =>
      sentence.includes('{') ? [{ pattern: patternOf(sentence), said }] : [],
    );
    for (const { pattern, said } of patterns) {
      const found = pattern.exec(text)?.groups;
      if (found) return filled(said, found);
    }
    return text;
  };
}
