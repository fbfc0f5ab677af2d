package dev.sotto.benchmarks.experiments;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs experiments, and writes their figures and plots into docs/experiments. */
public final class Experiments {
  private static final String USAGE =
      "usage: benchmarks/run experiments [--quick] [--json]" + " [--to FOLDER] [NAME]...";

  private Experiments() {}

  /** Exits with 2 where the arguments make no sense, 1 where an experiment failed. */
  public static void main(String... arguments) {
    System.exit(run(arguments));
  }

  private static int run(String... arguments) {
    System.setProperty("java.awt.headless", "true");
    Map<String, Experiment> known = new LinkedHashMap<>();
    for (Experiment each :
        List.of(new Utility(), new Acceleration(), new RealData(), new BoundedKeys())) {
      known.put(each.name(), each);
    }
    boolean quick = false;
    boolean json = false;
    Path to = Home.project().resolve("docs/experiments");
    List<Experiment> chosen = new ArrayList<>();
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--quick" -> quick = true;
        case "--json" -> json = true;
        case "--to" -> to = Path.of(++i < arguments.length ? arguments[i] : ".");
        default -> {
          if (!known.containsKey(arguments[i])) {
            System.err.println("there is no experiment " + arguments[i] + ", but "
                + String.join(", ", known.keySet()) + System.lineSeparator() + USAGE);
            return 2;
          }
          chosen.add(known.get(arguments[i]));
        }
      }
    }
    try {
      return all(chosen.isEmpty() ? List.copyOf(known.values()) : chosen, quick, json, to);
    } catch (IOException | IllegalStateException failed) {
      System.err.println("failed: " + failed);
      return 1;
    }
  }

  private static int all(List<Experiment> chosen, boolean quick, boolean json, Path to)
      throws IOException {
    Files.createDirectories(to);
    Map<String, Object> outcomes = new LinkedHashMap<>();
    for (Experiment each : chosen) {
      Experiment.Outcome outcome = each.run(quick);
      Files.writeString(to.resolve(each.name() + ".csv"), outcome.all().csv());
      for (Map.Entry<String, Chart> chart : outcome.charts().entrySet()) {
        chart.getValue().save(to.resolve(each.name() + "-" + chart.getKey() + ".png"));
      }
      outcomes.put(each.name(), outcome.summary().objects());
      if (!json) {
        System.out.println(outcome.summary().markdown());
      }
    }
    if (json) {
      System.out.println(
          new ObjectMapper().writeValueAsString(Map.of("experiments", outcomes, "quick", quick)));
    }
    return 0;
  }
}
