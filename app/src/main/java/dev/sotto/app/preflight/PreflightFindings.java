package dev.sotto.app.preflight;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.sotto.app.preflight.PreflightFinding.Level;
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

  /** Numbered lines, and how many there are of each kind. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < all.size(); i++) {
      text.append(all.get(i).line(i + 1)).append(System.lineSeparator());
    }
    return text.append(count(Level.OK))
        .append(" OK, ")
        .append(count(Level.WARNING))
        .append(" WARNING, ")
        .append(count(Level.FAULT))
        .append(" FAULT")
        .append(System.lineSeparator())
        .toString();
  }

  /** What is printed as JSON. */
  public Report report() {
    return new Report(
        count(Level.FAULT),
        count(Level.WARNING),
        IntStream.range(0, all.size())
            .mapToObj(each -> new Numbered(each + 1, all.get(each)))
            .toList());
  }

  /** All findings, and how many are none of {@code OK}. */
  public record Report(long faults, long warnings, List<Numbered> findings) {}

  /** A finding with its number, from 1. */
  public record Numbered(int number, @JsonUnwrapped PreflightFinding finding) {}
}
