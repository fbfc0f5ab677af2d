package dev.sotto.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Connector;
import org.apache.kafka.connect.runtime.isolation.PluginDesc;
import org.apache.kafka.connect.runtime.isolation.Plugins;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Loads the packaged folder as a worker does. */
class PluginFolderIT {
  private static final Path PLUGIN =
      Path.of("target", "sotto-connectors-plugin").toAbsolutePath();

  /** What a worker brings, and shares with each plug-in. */
  private static final List<Class<?>> WORKER = List.of(
      Connector.class,
      ConfigDef.class,
      Logger.class,
      JsonFactory.class,
      ObjectMapper.class,
      com.fasterxml.jackson.annotation.JsonProperty.class);

  private static JsonNode manifest() throws Exception {
    return new ObjectMapper().readTree(PLUGIN.resolve("manifest.json").toFile());
  }

  private static Set<String> named(JsonNode manifest, String kind) {
    Set<String> names = new TreeSet<>();
    manifest.get("classes").get(kind).forEach(each -> names.add(each.asText()));
    return names;
  }

  @Test
  void holdsAllThatAWorkerDoesNotBring() throws Exception {
    List<URL> jars = new ArrayList<>();
    try (Stream<Path> all = Files.list(PLUGIN.resolve("lib"))) {
      for (Path jar : all.toList()) {
        assertThat(jar.getFileName().toString())
            .doesNotContain("kafka", "connect-api", "slf4j", "jackson")
            .endsWith(".jar");
        jars.add(jar.toUri().toURL());
      }
    }
    for (Class<?> given : WORKER) {
      jars.add(given.getProtectionDomain().getCodeSource().getLocation());
    }
    try (URLClassLoader alone =
        new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      for (String kind : List.of("source", "sink", "converter", "transform")) {
        for (String name : named(manifest(), kind)) {
          Object plugin = alone.loadClass(name).getConstructor().newInstance();
          assertThat(call(plugin, "version")).asString().matches("\\d+\\.\\d+\\.\\d+.*");
          if (plugin.getClass().getSuperclass() != Object.class) {
            Object task =
                ((Class<?>) call(plugin, "taskClass")).getConstructor().newInstance();
            assertThat(call(task, "version")).isEqualTo(call(plugin, "version"));
          }
        }
      }
      Class<?> files = alone.loadClass("dev.sotto.serdes.snapshot.SnapshotAssembler");
      Object assembler = files.getConstructor().newInstance();
      Object newest = files.getMethod("newest").invoke(assembler);
      assertThat(newest).isEqualTo(Map.of());
      Class<?> codecs = alone.loadClass("dev.sotto.serdes.record.Codecs");
      Object codec = codecs.getField("CHUNK").get(null);
      assertThat(codec.getClass().getMethod("schema").invoke(codec))
          .as("schemas and Avro are there")
          .isNotNull();
      Class<?> onnx = alone.loadClass("ai.onnx.proto.OnnxMl$ModelProto");
      assertThat(onnx.getMethod("getDefaultInstance").invoke(null))
          .as("messages of ONNX are there")
          .isNotNull();
      assertThat(alone.loadClass("dev.sotto.onnx.OnnxModel")).isNotNull();
    }
  }

  private static Object call(Object of, String method) throws ReflectiveOperationException {
    return of.getClass().getMethod(method).invoke(of);
  }

  @Test
  void isFoundByAWorkerThatOnlyAsksForServices() throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try {
      Plugins plugins = new Plugins(
          Map.of("plugin.path", PLUGIN.getParent().toString(), "plugin.discovery", "service_load"));
      JsonNode manifest = manifest();
      assertThat(found(plugins.sourceConnectors())).isEqualTo(named(manifest, "source"));
      assertThat(found(plugins.sinkConnectors())).isEqualTo(named(manifest, "sink"));
      assertThat(found(plugins.converters())).isEqualTo(named(manifest, "converter"));
      assertThat(found(plugins.transformations())).isEqualTo(named(manifest, "transform"));
      assertThat(plugins.converters())
          .filteredOn(each -> each.location().contains("sotto-connectors-plugin"))
          .extracting(PluginDesc::version)
          .containsExactly(manifest.get("version").asText());
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  /** The classes that come from the folder. */
  private static <T> Set<String> found(Set<PluginDesc<T>> plugins) {
    Set<String> names = new TreeSet<>();
    plugins.stream()
        .filter(each -> each.location().contains("sotto-connectors-plugin"))
        .forEach(each -> names.add(each.className()));
    return names;
  }

  @Test
  void hasTheSameFilesInTheZip() throws Exception {
    String name = "sotto-connectors-" + manifest().get("version").asText();
    URI zip = URI.create("jar:" + Path.of("target", name + ".zip").toUri());
    try (FileSystem archive = FileSystems.newFileSystem(zip, Map.of())) {
      assertThat(files(archive.getPath("/", name))).isEqualTo(files(PLUGIN));
    }
  }

  /** Paths below a folder, with their sizes. */
  private static Set<String> files(Path folder) throws Exception {
    Set<String> files = new TreeSet<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        files.add(folder.relativize(each) + " " + Files.size(each));
      }
    }
    return files;
  }
}
