import { filled } from '@cadastre/pages';

/** Sentences of the API by the English one; `{…}` stands in both for what the API puts there. */
export type Answers = Readonly<Record<string, string>>;

const PLACE = /\{(\w+)\}/g;
/** Longer texts are left as they are: none of the API's sentences is so long. */
const LONGEST = 1_000;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A sentence with places as what fits it. */
function patternOf(sentence: string): RegExp {
  // What is captured stands between the parts.
  const parts = sentence.split(PLACE).map((part, i) => (i % 2 === 0 ? escaped(part) : `(?<${part}>.+?)`));
  return new RegExp(`^${parts.join('')}$`, 's');
}

/** Says what the API says in another language, as far as that has the sentence. */
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
