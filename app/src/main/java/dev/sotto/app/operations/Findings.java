package dev.sotto.app.operations;

import dev.sotto.app.operations.Finding.Level;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.StartFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a preflight has found, in order. */
public final class Findings {
  private final List<Finding> all = new ArrayList<>();

  void ok(String subject, String found) {
    all.add(new Finding(Level.OK, subject, found, "", ""));
  }

  void warning(String subject, String found, String needed, String fix) {
    all.add(new Finding(Level.WARNING, subject, found, needed, fix));
  }

  void fault(String subject, String found, String needed, String fix) {
    all.add(new Finding(Level.FAULT, subject, found, needed, fix));
  }

  /** Looks at something; where the cluster does not answer or does not allow it, that is what was found. */
  void look(String subject, Runnable look) {
    try {
      look.run();
    } catch (StartFailure failure) {
      String fix = failure.exitCode() == ExitCode.FORBIDDEN
          ? "grant what ./sotto describe lists under permissions"
          : "see the message";
      fault(subject, failure.getMessage(), "an answer", fix);
    }
  }

  /** All findings. */
  public List<Finding> all() {
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

  /** The same for JSON. */
  public Map<String, Object> json() {
    List<Map<String, Object>> lines = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      lines.add(all.get(i).json(i + 1));
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("faults", count(Level.FAULT));
    json.put("warnings", count(Level.WARNING));
    json.put("findings", lines);
    return json;
  }
}
