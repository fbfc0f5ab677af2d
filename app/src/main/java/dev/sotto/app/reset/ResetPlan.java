package dev.sotto.app.reset;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
@JsonPropertyOrder({
  "app",
  "folder",
  "topics",
  "offsets",
  "derived",
  "kept",
  "insideTheTrustBoundary"
})
public record ResetPlan(
    String app,
    @JsonIgnore Path folder,
    @JsonProperty("topics") List<String> changelogs,
    @JsonIgnore Map<TopicPartition, Long> offsets,
    List<String> derived,
    List<String> kept) {
  private static final String INSIDE =
      "This plan is for inside the trust boundary: its offsets may tell whether a record could be"
          + " used. Do not publish it.";

  /** Partitions in order. */
  @JsonProperty("offsets")
  Map<String, Long> offsetsByName() {
    Map<String, Long> sorted = new TreeMap<>();
    offsets.forEach((where, offset) -> sorted.put(where.toString(), offset));
    return sorted;
  }

  /** Whether there is anything to do. */
  boolean isEmpty() {
    return changelogs.isEmpty() && offsets.isEmpty() && !Files.exists(folder);
  }

  /** What goes, what is derived again, and what stays. */
  public String text() {
    List<String> lines = new ArrayList<>();
    lines.add("A reset of " + app + " takes away:");
    lines.add(
        Files.exists(folder)
            ? "  folder   " + folder
            : "  nothing of " + folder + ", which does not exist");
    changelogs.forEach(each -> lines.add("  topic    " + each));
    offsetsByName()
        .forEach((where, offset) ->
            lines.add("  offset   of group " + app + " at " + where + ": goes to " + offset));
    lines.add("The next run derives again, and compares with the ledger:");
    derived.forEach(each -> lines.add("  " + each));
    if (derived.isEmpty()) {
      lines.add("  nothing: no round has begun");
    }
    lines.add("Untouched: " + String.join(", ", kept));
    lines.add("On every other machine that ran it, remove the folder " + app
        + " below its state.dir before it starts there again.");
    lines.add(INSIDE);
    return String.join(System.lineSeparator(), lines) + System.lineSeparator();
  }

  @JsonProperty("folder")
  String existingFolder() {
    return Files.exists(folder) ? folder.toString() : null;
  }

  @JsonProperty
  String insideTheTrustBoundary() {
    return INSIDE;
  }
}
