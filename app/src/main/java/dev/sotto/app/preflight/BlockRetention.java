package dev.sotto.app.preflight;

import dev.sotto.app.cluster.DurationText;
import dev.sotto.app.preflight.PreflightFinding.Level;
import dev.sotto.topology.admin.AppendRate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether the event topic keeps its records until a block that reads them again is finished. What a
 * block takes is known before the start only in part: how fast records were appended of late, not
 * how long the passes will take, nor how records divide among models.
 *
 * @param topic of the events
 * @param slots of a block that one partition has to keep
 * @param passes over them
 * @param ownModels whether a partition holds several models, each with blocks of its own
 * @param rates of the partitions, where they are known
 */
record BlockRetention(
    String topic, long slots, double passes, boolean ownModels, List<Optional<AppendRate>> rates) {
  /** Fill times that a retention must have room for, since passes take time as well. */
  private static final long ROOM = 3;

  /** Whether records stay for long enough. */
  PreflightFinding time(long retention) {
    String found = "retention.ms=" + retention
        + (retention < 0 ? " (for ever)" : " (" + words(retention) + ")");
    if (retention < 0) {
      return ok(found + ": blocks of " + slots + " events can be read again");
    }
    OptionalDouble slowest = slowest();
    if (slowest.isEmpty() || ownModels) {
      String why = ownModels
          ? "each model fills its blocks with its own events, whose rate is unknown"
          : "how fast events arrive is unknown: the topic holds less than a minute of them";
      return finding(
          Level.WARNING,
          found + "; " + why,
          "longer than a model's block of " + slots + " events takes to fill, and " + passesText()
              + " over them: what is read again must still be there",
          "retention.ms=-1");
    }
    long fill = (long) Math.min(Math.ceil(slots / slowest.getAsDouble() * 1000), 0x1p60);
    String takes = found + "; a block of " + slots + " events fills in about " + words(fill)
        + String.format(Locale.ROOT, " (%.3g events a second at present)", slowest.getAsDouble());
    String needed = "at least " + ROOM * fill + " (" + ROOM
        + " times as long), and more where " + passesText()
        + " take longer: what is read again must still be there";
    String fix = "retention.ms=" + ROOM * fill;
    return retention < fill
        ? finding(Level.FAULT, takes, needed, fix)
        : retention < ROOM * fill ? finding(Level.WARNING, takes, needed, fix) : ok(takes);
  }

  /** Whether as many records fit; empty where their bytes have no limit. */
  Optional<PreflightFinding> bytes(long retention) {
    if (retention < 0) {
      return Optional.empty();
    }
    return Optional.of(finding(
        retention < slots ? Level.FAULT : Level.WARNING,
        "retention.bytes=" + retention + ": a block of " + slots
            + " events is held only where they take at most " + retention / slots
            + " bytes each",
        "-1, or certainty that " + ROOM * slots + " events fit: what is read again must still be"
            + " there",
        "retention.bytes=-1"));
  }

  private String passesText() {
    return String.format(Locale.ROOT, passes == 1 ? "%.0f pass" : "%.0f passes", Math.ceil(passes));
  }

  /** Events a second of the slowest partition; empty where one is unknown. */
  private OptionalDouble slowest() {
    return rates.isEmpty() || rates.stream().anyMatch(Optional::isEmpty)
        ? OptionalDouble.empty()
        : rates.stream().mapToDouble(each -> each.orElseThrow().perSecond()).min();
  }

  /** Rounded up to whole seconds, minutes or hours. */
  private static String words(long millis) {
    long unit = millis > 21_600_000 ? 3_600_000 : millis > 120_000 ? 60_000 : 1000;
    return DurationText.words(
        Duration.ofMillis(millis % unit == 0 ? millis : (millis / unit + 1) * unit));
  }

  private PreflightFinding ok(String found) {
    return finding(Level.OK, found, "", "");
  }

  private PreflightFinding finding(Level level, String found, String needed, String fix) {
    return new PreflightFinding(level, "event topic " + topic, found, needed, fix);
  }
}
