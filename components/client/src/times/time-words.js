// Times in words, for a viewer elsewhere and elsewhen than the hall.

const LOCALES = { en: "en-GB" }; // the site's English writes 12 October 2027 and 17:00
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const DAY = { day: "numeric", month: "long", year: "numeric" };
const HARD = "\u00a0"; // a date stays on one line, as the server writes it
const SECOND = 1000;
const AGO = [["second", 60], ["minute", 60], ["hour", 24], ["day", 7]]; // unit, how many make the next one

const formats = new Map(); // by language and options: to make one takes longer than a page of times

export function format(language, moment, options) {
  const name = JSON.stringify([language, options]);
  if (!formats.has(name)) formats.set(name, new Intl.DateTimeFormat(LOCALES[language] || language, options));
  return formats.get(name).format(moment);
}
const fill = (pattern, time) => (pattern || "{time}").replace("{time}", time);

/** "2 minutes ago"; null when it is so long ago that the date says more. */
export function ago(language, moment, now) {
  let amount = Math.max(0, (now - moment) / SECOND); // a clock that is a little late is no prophet
  for (const [unit, limit] of AGO) {
    if (amount < limit) {
      const numeric = unit === "second" ? "auto" : "always";
      return new Intl.RelativeTimeFormat(language, { numeric }).format(unit === "second" ? 0 : -Math.floor(amount), unit);
    }
    amount /= limit;
  }
  return null;
}

/**
 * The text that replaces the hall's own `words`, or null when they are right for this viewer too, and in a browser that
 * does not know a zone or a format; { before } goes in front of them. `zone` is the viewer's (the browser's own when left out).
 */
export function momentWords(...moment) {
  try { return replacement(...moment); } catch { return null; }
}

function replacement(attributes, words, now, zone) {
  const moment = new Date(attributes.dateTime ?? attributes.datetime);
  const language = attributes["data-language"] || "en";
  const hall = attributes["data-zone"];
  if (Number.isNaN(moment.getTime())) return null;
  if (attributes["data-when"] === "ago") return ago(language, moment, now);
  const in_ = (timeZone, options) => format(language, moment, { ...options, timeZone });
  const otherDay = in_(zone, DAY) !== in_(hall, DAY);
  if (attributes["data-when"] === "clock") {
    const isSame = !otherDay && in_(zone, CLOCK) === in_(hall, CLOCK);
    return isSame ? null : fill(attributes["data-yours"], in_(zone, CLOCK));
  }
  const date = in_(zone, DAY).replaceAll(" ", HARD);
  const dayWords = (weekday) => (weekday ? `${in_(zone, { weekday: "long" })}, ` : "") + date;
  if (attributes["data-when"] === "date") {
    return otherDay ? dayWords(words.includes(in_(hall, { weekday: "long" }))) : null;
  }
  const today = in_(zone, DAY) === format(language, now, { ...DAY, timeZone: zone }) && attributes["data-today"];
  if (!otherDay && in_(zone, CLOCK) === in_(hall, CLOCK)) return today ? { before: today } : null;
  const yours = fill(attributes["data-yours"], in_(zone, CLOCK));
  const hallTime = fill(attributes["data-hall"], in_(hall, CLOCK));
  // the weekday stays with its time: where both and the words are too long for a line, the words begin the next one
  const theirs = otherDay ? in_(hall, { weekday: "short" }) + HARD + hallTime.replace(HARD, " ") : hallTime;
  return `${today || ""}${dayWords(true)}, ${yours}, ${theirs}`;
}
