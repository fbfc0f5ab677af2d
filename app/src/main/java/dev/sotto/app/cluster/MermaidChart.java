package dev.sotto.app.cluster;

import dev.sotto.topology.admin.TopicRequirement;
import dev.sotto.topology.admin.TopicRequirement.Party;
import dev.sotto.topology.settings.Names;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.streams.TopologyDescription;

/** A topology as a Mermaid flowchart: tasks as boxes, stores as drums, topics as slanted boxes. */
final class MermaidChart {
  private final Map<String, String> topics = new LinkedHashMap<>();
  private final Set<String> outside = new LinkedHashSet<>();
  private final StringBuilder edges = new StringBuilder();
  private final StringBuilder boxes = new StringBuilder();

  private MermaidChart() {}

  /** The text, without a fence. */
  static String of(TopologyDescription drawing, List<TopicRequirement> needs) {
    return new MermaidChart().text(drawing, needs);
  }

  private String text(TopologyDescription drawing, List<TopicRequirement> needs) {
    needs.stream().filter(TopicRequirement::outside).forEach(need -> outside.add(need.topic()));
    for (TopologyDescription.Subtopology part : drawing.subtopologies()) {
      boxes.append("  subgraph tasks").append(part.id());
      boxes.append(" [\"tasks ").append(part.id()).append("_*\"]\n");
      part.nodes().stream().sorted((a, b) -> a.name().compareTo(b.name())).forEach(this::node);
      boxes.append("  end\n");
    }
    needs.forEach(this::announced);
    StringBuilder text = new StringBuilder("flowchart LR\n");
    topics.forEach(
        (topic, id) -> text.append("  ").append(id).append("[/\"").append(topic).append("\"/]\n"));
    text.append(boxes).append(edges);
    topics.forEach((topic, id) -> {
      if (outside.contains(topic)) {
        text.append("  class ").append(id).append(" outside\n");
      }
    });
    return text.append("  classDef outside stroke-width:3px\n").toString();
  }

  private void node(TopologyDescription.Node node) {
    if (node instanceof TopologyDescription.Source source) {
      source.topicSet().stream()
          .sorted()
          .forEach(topic -> node.successors().stream()
              .map(TopologyDescription.Node::name)
              .sorted()
              .forEach(next -> edge(topic(topic), "-->", id(next))));
    } else if (node instanceof TopologyDescription.Processor processor) {
      boxes.append("    ").append(id(node.name()));
      boxes.append("[\"").append(node.name()).append("\"]\n");
      node.successors().stream()
          .filter(TopologyDescription.Processor.class::isInstance)
          .map(TopologyDescription.Node::name)
          .sorted()
          .forEach(next -> edge(id(node.name()), "-->", id(next)));
      processor.stores().stream().sorted().forEach(store -> {
        boxes.append("    ").append("store_").append(id(store));
        boxes.append("[(\"").append(store).append("\")]\n");
        edge(id(node.name()), "<-->", "store_" + id(store));
      });
    } else if (node instanceof TopologyDescription.Sink sink) {
      node.predecessors().stream()
          .map(TopologyDescription.Node::name)
          .sorted()
          .forEach(before -> edge(id(before), "-->", topic(sink.topic())));
    }
  }

  /** What the trainer reads, asks for and writes beside Streams. */
  private void announced(TopicRequirement need) {
    if (need.readers().contains(Party.ANNOUNCER)) {
      edge(topic(need.topic()), "-.->", id(Names.TRAIN));
    }
    if (need.writers().contains(Party.ANNOUNCER)) {
      edge(id(Names.TRAIN), "-.->", topic(need.topic()));
    }
  }

  private void edge(String from, String arrow, String to) {
    edges.append("  ").append(from).append(' ').append(arrow);
    edges.append(' ').append(to).append('\n');
  }

  private String topic(String name) {
    return topics.computeIfAbsent(name, each -> "topic" + topics.size());
  }

  private static String id(String name) {
    return name.replace('-', '_');
  }
}
