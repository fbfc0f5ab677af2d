package dev.sotto.app.preflight;

import static dev.sotto.learner.description.FigureFormat.counted;

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

  /** What was computed, and is no check. */
  void note(String subject, String found) {
    all.add(new PreflightFinding(Level.NOTE, subject, found, "", ""));
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

  /**
   * A verdict, faults, then warnings; in detail what is OK, and what was computed. For programs all
   * of it in the order in which it was found, numbered from 1.
   */
  public Section describe() {
    return Section.untitled()
        .fact("faults", count(Level.FAULT))
        .fact("warnings", count(Level.WARNING))
        .fact(
            "findings",
            IntStream.range(0, all.size())
                .mapToObj(each -> all.get(each).describe(each + 1))
                .toList())
        .sentence(verdict())
        .append(lines(Level.FAULT))
        .append(lines(Level.WARNING))
        .detail(lines(Level.OK))
        .detail(lines(Level.NOTE));
  }

  private String verdict() {
    long faults = count(Level.FAULT);
    long warnings = count(Level.WARNING);
    String sound =
        counted(count(Level.OK), "check") + (count(Level.OK) == 1 ? " is" : " are") + " OK.";
    if (faults > 0) {
      return "The learner cannot run like this: " + counted(faults, "fault")
          + (warnings > 0 ? ", " + counted(warnings, "warning") : "") + ". " + sound;
    }
    return warnings > 0
        ? "The learner can run, but look at " + counted(warnings, "warning") + " first. " + sound
        : "The learner can run. " + sound;
  }

  private Section lines(Level level) {
    Section lines = Section.untitled();
    all.stream().filter(each -> each.level() == level).forEach(each -> lines.lines(each.lines()));
    return lines;
  }
}
