package dev.sotto.app.preflight;

import dev.sotto.app.preflight.PreflightFinding.Level;
import dev.sotto.learner.description.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What a preflight has found, in order. */
public final class PreflightFindings {
  private final List<PreflightFinding> all = new ArrayList<>();

  void ok(String subject, String found) {
    all.add(new PreflightFinding(Level.OK, subject, found, "", ""));
  }

  void warning(String subject, String found, String needed, String fix) {
    all.add(new PreflightFinding(Level.WARNING, subject, found, needed, fix));
  }

  void fault(String subject, String found, String needed, String fix) {
    all.add(new PreflightFinding(Level.FAULT, subject, found, needed, fix));
  }

  void add(PreflightFinding finding) {
    all.add(finding);
  }

  /** All findings. */
  public List<PreflightFinding> all() {
    return List.copyOf(all);
  }

  /** Whether any is a fault. */
  public boolean anyFault() {
    return count(Level.FAULT) > 0;
  }

  private long count(Level level) {
    return all.stream().filter(each -> each.level() == level).count();
  }

  /** All findings, numbered from 1, and how many there are of each kind. */
  public Section describe() {
    return Section.untitled()
        .fact("faults", count(Level.FAULT))
        .fact("warnings", count(Level.WARNING))
        .items(
            "findings",
            IntStream.range(0, all.size())
                .mapToObj(each -> all.get(each).describe(each + 1))
                .toList())
        .lines(count(Level.OK) + " OK, " + count(Level.WARNING) + " WARNING, " + count(Level.FAULT)
            + " FAULT");
  }
}
