package dev.sotto.evaluation.volume;

import static dev.sotto.learner.description.FigureFormat.counted;
import static dev.sotto.learner.description.FigureFormat.threeDigits;

import dev.sotto.evaluation.volume.MemoryForecast.Part;
import dev.sotto.evaluation.volume.VolumeScenario.Load;
import dev.sotto.learner.description.Column;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.training.VersionKeys;
import java.util.List;
import java.util.Locale;

/**
 * What a learner writes and holds: docs/plan.md, "Volume and memory". For programs a row for each
 * topic or folder.
 */
public final class VolumeDescription {
  private VolumeDescription() {}

  /** What is written and held, with the cadence from which it follows. */
  public static Section of(VolumeScenario scenario) {
    Load load = scenario.load();
    return Section.titled("What is written and held, before replication, at " + count(load.rate())
            + " events a second of " + load.recordBytes() + " bytes")
        .lines(
            "(--rate, --record-bytes) in " + counted(load.partitions(), "partition")
                + " (--partitions), " + counted(load.models(), "model") + " (--models)"
                + (scenario.learner().keepsHistories()
                    ? ", " + counted(load.units(), "unit") + " (--units)"
                    : ""),
            cadence(scenario))
        .add(topics(scenario))
        .lines(
            "MB are 10^6 bytes. At most: with the segments that are not full or not compacted yet.",
            "After the last round of the budget only the events go on. Bounds by time or size are",
            "settings of the topics, which are created with them.",
            "Memory of an instance that runs all tasks, at most:")
        .add(memory(MemoryForecast.of(scenario)))
        .append(evictions(Evictions.of(scenario)));
  }

  private static Table topics(VolumeScenario scenario) {
    Table table = new Table(
        "topics",
        List.of(
            Column.text("topic", "topic"),
            Column.bytes("bytesPerDay", "a day"),
            Column.bytes("heldAtMost", "at most")));
    for (TopicVolume each : VolumeForecast.of(scenario)) {
      table.row(
          Section.untitled()
              .fact("kind", "volume")
              .fact("topic", each.topic())
              .fact("bytesPerDay", each.bytesPerDay())
              .fact("heldAtMost", each.heldAtMost())
              .fact("bounded", !each.isUnbounded())
              .fact("bound", each.bound()),
          each.bound());
    }
    return table;
  }

  private static Section evictions(Evictions evictions) {
    Section section = Section.untitled();
    return evictions.any()
        ? section
            .sentence(evictions.text() + ".")
            .sentence("What helps: " + evictions.advice() + ".")
        : section;
  }

  private static Table memory(MemoryForecast forecast) {
    Table table = Table.forPeople(Column.text("use", "use"), Column.bytes("bytes", "bytes"));
    forecast.heap().forEach(each -> part(table, each));
    table.row(Section.untitled().fact("use", "heap in all").fact("bytes", forecast.heapBytes()));
    forecast.beside().forEach(each -> part(table, each));
    return table;
  }

  private static void part(Table table, Part part) {
    table.row(
        Section.untitled().fact("use", part.use()).fact("bytes", part.bytes()), part.setting());
  }

  /** When versions are published, and why then. */
  public static String cadence(VolumeScenario scenario) {
    int dimension = scenario.plan().dimension();
    long slots = scenario.slotsOfVersion();
    long asked = scenario.plan().learning().versions().slots();
    String why = slots == scenario.plan().batch()
        ? "a " + scenario.plan().round()
        : asked == dimension && asked > VersionKeys.LEAST_SLOTS
            ? String.format(Locale.ROOT, "as many as weights, %,d, in whole rounds", dimension)
            : String.format(Locale.ROOT, "%s %,d, in whole rounds", VersionKeys.SLOTS, asked);
    return "A version every " + counted(slots, "slot") + " of a model (" + why + "): "
        + often(scenario);
  }

  /** When versions are published, in a few words. */
  public static String cadenceInShort(VolumeScenario scenario) {
    return "A version every " + counted(scenario.slotsOfVersion(), "slot") + " of a model: "
        + often(scenario);
  }

  private static String often(VolumeScenario scenario) {
    return "every " + time(scenario.secondsOfVersion()) + ", " + count(scenario.versions())
        + " a day.";
  }

  /** A time in the unit that suits it. */
  public static String time(double seconds) {
    if (seconds < 120) {
      return threeDigits(seconds) + " s";
    }
    double minutes = seconds / 60;
    double hours = minutes / 60;
    return minutes < 120
        ? threeDigits(minutes) + " min"
        : hours < 48 ? threeDigits(hours) + " h" : threeDigits(hours / 24) + " days";
  }

  private static String count(double number) {
    return number >= 100 || number == Math.rint(number)
        ? String.format(Locale.ROOT, "%,.0f", number)
        : threeDigits(number);
  }
}
