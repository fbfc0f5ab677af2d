package dev.sotto.app.reset;

import dev.sotto.learner.description.Section;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * What a reset takes away, and nothing else. For people inside the trust boundary: an offset may
 * tell whether the last record that was handed over could be used.
 *
 * @param app the application
 * @param folder its local state on this machine; may not be there
 * @param changelogs the topics to be deleted, in this order
 * @param offsets where the group is to go on reading, for partitions where that changes
 * @param derived what the next run derives again, a line for each partition
 * @param kept the topics that are never touched
 */
public record ResetPlan(
    String app,
    Path folder,
    List<String> changelogs,
    Map<TopicPartition, Long> offsets,
    List<String> derived,
    List<String> kept) {
  private static final String INSIDE =
      "This plan is for inside the trust boundary: its offsets may tell whether a record could be"
          + " used. Do not publish it.";

  /** Partitions in order. */
  Map<String, Long> offsetsByName() {
    Map<String, Long> sorted = new TreeMap<>();
    offsets.forEach((where, offset) -> sorted.put(where.toString(), offset));
    return sorted;
  }

  /** What goes, what is derived again, and what stays. */
  public Section describe() {
    boolean there = Files.exists(folder);
    return Section.titled("A reset of " + app + " takes away:")
        .fact("app", app)
        .fact(
            "folder",
            there ? folder.toString() : null,
            there ? "  folder   " + folder : "  nothing of " + folder + ", which does not exist")
        .fact("topics", changelogs, each(changelogs, "  topic    "))
        .fact(
            "offsets",
            offsetsByName(),
            each(
                offsetsByName().entrySet().stream()
                    .map(each -> each.getKey() + ": goes to " + each.getValue())
                    .toList(),
                "  offset   of group " + app + " at "))
        .lines("The next run derives again, and compares with the ledger:")
        .fact(
            "derived",
            derived,
            derived.isEmpty() ? "  nothing: no round has begun" : each(derived, "  "))
        .fact("kept", kept, "Untouched: " + String.join(", ", kept))
        .lines("On every other machine that ran it, remove the folder " + app
            + " below its state.dir before it starts there again.")
        .fact("insideTheTrustBoundary", INSIDE, INSIDE);
  }

  private static String each(List<String> all, String before) {
    return all.stream()
        .map(each -> before + each)
        .collect(Collectors.joining(System.lineSeparator()));
  }
}
