package dev.sotto.evaluation.volume;

import dev.sotto.evaluation.text.TextTable;
import dev.sotto.evaluation.volume.VolumeScenario.Load;
import dev.sotto.learner.training.VersionKeys;
import java.util.List;
import java.util.Locale;

/** A forecast of volumes as text. */
public final class VolumeText {
  private static final String LINE = System.lineSeparator();
  private static final String[] UNITS = {"B", "KB", "MB", "GB", "TB", "PB"};

  private VolumeText() {}

  /** What is written and held, with the cadence from which it follows. */
  public static String of(VolumeScenario scenario) {
    Load load = scenario.load();
    TextTable table = new TextTable("topic", "a day", "at most");
    for (TopicVolume each : VolumeForecast.of(scenario)) {
      table.line(
          List.of(each.topic(), bytes(each.bytesPerDay()), bytes(each.heldAtMost())), each.bound());
    }
    return "What is written and held, before replication, at " + count(load.rate())
        + " events a second of " + load.recordBytes() + " bytes" + LINE
        + "(--rate, --record-bytes) in " + plural(load.partitions(), "partition")
        + " (--partitions), " + plural(load.models(), "model") + " (--models)"
        + (scenario.learner().keepsHistories()
            ? ", " + plural(load.units(), "unit") + " (--units)"
            : "")
        + LINE + cadence(scenario) + LINE
        + table.text()
        + "MB are 10^6 bytes. At most: with the segments that are not full or not compacted yet."
        + LINE
        + "Behind the last round of the budget only the events go on. Bounds by time or size are"
        + LINE
        + "settings of the topics, which are created with them." + LINE
        + "Memory of an instance that runs all tasks, at most:" + LINE
        + memory(MemoryForecast.of(scenario))
        + evictions(Evictions.of(scenario));
  }

  private static String evictions(Evictions evictions) {
    return evictions.any()
        ? lines(evictions.text() + ".") + lines("What helps: " + evictions.advice() + ".")
        : "";
  }

  private static String memory(MemoryForecast forecast) {
    TextTable table = new TextTable("use", "bytes");
    forecast
        .heap()
        .forEach(each -> table.line(List.of(each.use(), bytes(each.bytes())), each.setting()));
    table.line(List.of("heap in all", bytes(forecast.heapBytes())), "");
    forecast
        .beside()
        .forEach(each -> table.line(List.of(each.use(), bytes(each.bytes())), each.setting()));
    return table.text();
  }

  /** A sentence in lines that fit a terminal. */
  private static String lines(String sentence) {
    return sentence.replaceAll("(.{1,96})(?: |$)", "$1" + LINE);
  }

  /** When versions are published, and why then. */
  public static String cadence(VolumeScenario scenario) {
    int dimension = scenario.plan().dimension();
    long slots = scenario.slotsOfVersion();
    long asked = scenario.plan().learning().versions().slots();
    String why = scenario.plan().learnsFromBlocks()
        ? "a block"
        : slots == scenario.plan().batch()
            ? "a round"
            : asked == dimension && asked > VersionKeys.LEAST_SLOTS
                ? "as many as weights, " + plural(dimension, "weight").replace(" weights", "")
                    + ", in whole rounds"
                : VersionKeys.SLOTS + " " + plural(asked, "slot").replaceAll(" .*", "")
                    + ", in whole rounds";
    return "A version every " + plural(slots, "slot") + " of a model (" + why + "): every "
        + time(scenario.secondsOfVersion()) + ", " + count(scenario.versions()) + " a day.";
  }

  /** Bytes with three digits. */
  public static String bytes(double bytes) {
    if (Double.isNaN(bytes)) {
      return "yours";
    }
    if (Double.isInfinite(bytes)) {
      return "no bound";
    }
    int unit = 0;
    double left = bytes;
    while (left >= 999.5 && unit < UNITS.length - 1) {
      left /= 1000;
      unit++;
    }
    return three(left) + " " + UNITS[unit];
  }

  private static String time(double seconds) {
    if (seconds < 120) {
      return three(seconds) + " s";
    }
    double minutes = seconds / 60;
    double hours = minutes / 60;
    return minutes < 120
        ? three(minutes) + " min"
        : hours < 48 ? three(hours) + " h" : three(hours / 24) + " days";
  }

  private static String three(double value) {
    int decimals = value >= 99.95 || value == Math.rint(value) ? 0 : value >= 9.995 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  private static String count(double number) {
    return number >= 100 || number == Math.rint(number)
        ? String.format(Locale.ROOT, "%,.0f", number)
        : three(number);
  }

  private static String plural(long count, String word) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? word : word + "s");
  }
}
