package dev.sotto.benchmarks.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * A recorded set as a newcomer would configure it: numbers with their public bounds, everything
 * else hashed, the label, and nothing more.
 */
enum QualitySet {
  ELEC2("elec2", "elec2.csv.gz", "", "logistic"),
  A9A("a9a", "a9a.libsvm.gz", "", "logistic"),
  BANK("bank", "bank.csv.gz", "", "logistic"),
  SEA("sea", "sea_drift.csv.gz", "", "logistic"),
  FLIGHTS_A("flights-a", "hflights_demo_q1.csv.gz", "A", "logistic"),
  FLIGHTS_B("flights-b", "hflights_demo_q1.csv.gz", "B", "logistic"),
  YEAR_A("year-a", "hflights_by_tail.jsonl.gz", "A", "logistic"),
  YEAR_B("year-b", "hflights_by_tail.jsonl.gz", "B", "logistic"),
  INCIDENTS("incidents", "incidents_by_caller.jsonl.gz", "", "logistic"),
  COVTYPE("covtype", "covtype_15k.csv.gz", "", "softmax"),
  FASHION("fashion", "fashion14_20k.csv.gz", "", "softmax"),
  HOUSING("housing", "california_housing.csv.gz", "", "squared"),
  BIKE("bike", "bike_hourly.csv.gz", "", "squared"),
  YEAR_R("year-r", "hflights_by_tail.jsonl.gz", "R", "squared");

  private static final ObjectMapper JSON = new ObjectMapper();

  final String label;
  final String loss;
  private final String file;
  private final String task;

  QualitySet(String label, String file, String task, String loss) {
    this.label = label;
    this.file = file;
    this.task = task;
    this.loss = loss;
  }

  private JsonNode schema(Path folder) throws IOException {
    JsonNode schema = JSON.readTree(folder.resolve("schema.json").toFile()).get(file);
    return task.isEmpty() ? schema : schema.get("tasks").get(task);
  }

  /** The mean loss of the base rate so far, as the file's references have it. */
  double baseRate(Path folder) throws IOException {
    JsonNode reference = reference(folder);
    return loss.equals("squared")
        ? reference.get("running_mean_mse").asDouble() / 2
        : reference.get("running_prior_logloss").asDouble();
  }

  /** The l2 norm that gradients seldom exceed: the largest slope, or a quarter of the labels. */
  double slope() {
    return switch (loss) {
      case "softmax" -> Math.sqrt(2) / 2;
      case "squared" -> 0.25;
      default -> 1;
    };
  }

  private JsonNode reference(Path folder) throws IOException {
    JsonNode reference =
        JSON.readTree(folder.resolve("reference.json").toFile()).get(file);
    return task.isEmpty() ? reference : reference.get(task);
  }

  /** Features and label, as {@code key=value}. */
  List<String> settings(Path folder) throws IOException {
    JsonNode schema = schema(folder);
    List<String> settings = new ArrayList<>(List.of("loss=" + loss));
    String inner = file.contains(".jsonl") ? "x." : "";
    if (schema.get("features").isArray()) {
      for (JsonNode feature : schema.get("features")) {
        String name = feature.get("name").asText();
        if (feature.get("type").asText().equals("numeric")) {
          String head = "features.numeric." + name;
          settings.add(head + ".field=" + inner + name);
          settings.add(head + ".min=" + feature.get("lo").asText());
          settings.add(head + ".max=" + feature.get("hi").asText());
          settings.add(head + ".optional=true");
          if (feature.path("transform").asText().equals("log1p")) {
            settings.add(head + ".transform=log1p");
          }
        } else {
          settings.add("features.categorical." + name + ".field=" + inner + name);
          settings.add("features.categorical." + name + ".optional=true");
        }
      }
    } else {
      for (int i = 1; i <= schema.get("n_features").asInt(); i++) {
        settings.add("features.numeric.f" + i + ".field=f" + i);
        settings.add("features.numeric.f" + i + ".min=0");
        settings.add("features.numeric.f" + i + ".max=1");
        settings.add("features.numeric.f" + i + ".optional=true");
      }
    }
    JsonNode rule = schema.get("label");
    settings.add("label.field=" + rule.path("column").asText(rule.path("field").asText("label")));
    if (loss.equals("softmax")) {
      List<String> names = new ArrayList<>();
      rule.get("classes").forEach(each -> names.add(each.asText()));
      settings.add("label.names=" + String.join(",", names));
    } else if (loss.equals("squared")) {
      settings.add("label.min=" + rule.get("lo").asText());
      settings.add("label.max=" + rule.get("hi").asText());
    } else if (rule.get("positive").isTextual()) {
      settings.add("label.classes=" + rule.get("positive").asText());
    }
    return settings;
  }

  /** The events, one JSON object each, in the order of the file. */
  List<byte[]> events(Path folder) throws IOException {
    return file.contains(".libsvm") ? named(folder.resolve(file)) : recorded(folder.resolve(file));
  }

  private static List<byte[]> recorded(Path file) {
    List<byte[]> events = new ArrayList<>();
    try (Recording recording = Recordings.open(file, RecordingOptions.defaults());
        RecordCursor cursor = recording.open(0)) {
      while (cursor.next()) {
        events.add(cursor.value());
      }
    }
    return events;
  }

  /** The coordinates of a libsvm file as numbers with names. */
  static List<byte[]> named(Path file) throws IOException {
    List<byte[]> events = new ArrayList<>();
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(
        new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        events.add(JSON.writeValueAsBytes(sparse(line)));
      }
    }
    return events;
  }

  private static ObjectNode sparse(String line) {
    String[] parts = line.strip().split(" ");
    ObjectNode event = JSON.createObjectNode();
    event.put("label", Double.parseDouble(parts[0]) > 0 ? 1 : 0);
    for (int i = 1; i < parts.length; i++) {
      String[] pair = parts[i].split(":");
      event.put("f" + pair[0], Double.parseDouble(pair[1]));
    }
    return event;
  }
}
