package dev.sotto.learner.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExtensionsTest {
  @TempDir
  Path folder;

  /** What a test looks for. */
  public interface Toy extends Extension {}

  /** A toy of a name and a version. */
  public abstract static class Named implements Toy {
    private final String name;
    private final String version;

    Named(String name, String version) {
      this.name = name;
      this.version = version;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String version() {
      return version;
    }
  }

  /** As it should be. */
  public static final class Good extends Named {
    /** For the loader. */
    public Good() {
      super("good-toy-2", "v 1");
    }
  }

  /** Called as another. */
  public static final class Twin extends Named {
    /** For the loader. */
    public Twin() {
      super("good-toy-2", "2");
    }
  }

  /** Called as a built-in one. */
  public static final class Taken extends Named {
    /** For the loader. */
    public Taken() {
      super("taken", "1");
    }
  }

  /** Without a name that could stand in a file. */
  public static final class Shouting extends Named {
    /** For the loader. */
    public Shouting() {
      super("Toy!", "1");
    }
  }

  /** Without a version. */
  public static final class Timeless extends Named {
    /** For the loader. */
    public Timeless() {
      super("timeless", "a\nb");
    }
  }

  /** Fails when asked. */
  public static final class Silent implements Toy {
    @Override
    public String name() {
      throw new UnsupportedOperationException("no name");
    }

    @Override
    public String version() {
      return "1";
    }
  }

  /** Fails when made. */
  public static final class Unmakeable extends Named {
    /** For the loader. */
    public Unmakeable() {
      super("unmakeable", "1");
      throw new IllegalStateException("not today");
    }
  }

  private Extensions<Toy> find(String... classes) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve(Toy.class.getName()), String.join("\n", classes));
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
      thread.setContextClassLoader(loader);
      return Extensions.find(Toy.class, Set.of("taken", "other"));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static String of(Class<?> type) {
    return type.getName();
  }

  @Test
  void findsProvidersByTheirNames() throws IOException {
    Extensions<Toy> found = find(of(Good.class));
    assertThat(found.faults()).isEmpty();
    assertThat(found.named("good-toy-2")).containsInstanceOf(Good.class);
    assertThat(found.named("good")).isEmpty();
    assertThat(find().byName()).isEmpty();
  }

  @Test
  void takesNeitherOfTwoWithOneName() throws IOException {
    Extensions<Toy> found = find(of(Good.class), of(Twin.class));
    assertThat(found.byName()).isEmpty();
    assertThat(found.faults())
        .singleElement()
        .asString()
        .contains("two providers are called good-toy-2", of(Good.class), of(Twin.class));
  }

  @Test
  void refusesNamesThatAreTakenOrNone() throws IOException {
    Extensions<Toy> found = find(
        of(Taken.class), of(Shouting.class), of(Timeless.class), of(Silent.class), of(Good.class));
    assertThat(found.byName()).containsOnlyKeys("good-toy-2");
    assertThat(found.faults()).hasSize(4);
    assertThat(found.faults().get(0)).contains("taken is built in", of(Taken.class));
    assertThat(found.faults().get(1)).contains("name is 1 to 60", "\"Toy!\"");
    assertThat(found.faults().get(2)).contains("version is 1 to 100", "\"a\\u000ab\"");
    assertThat(found.faults().get(3)).contains(of(Silent.class), "no name");
  }

  @Test
  void goesOnPastWhatCannotBeLoaded() throws IOException {
    Extensions<Toy> found =
        find("org.example.Missing", of(Unmakeable.class), of(ExtensionsTest.class), of(Good.class));
    assertThat(found.byName()).containsOnlyKeys("good-toy-2");
    assertThat(found.faults()).hasSize(3);
    assertThat(found.faults().get(0)).contains("org.example.Missing");
    assertThat(found.faults().get(1)).contains("not today");
    assertThat(found.faults().get(2)).contains("not a subtype");
  }

  @Test
  void tellsParametersInOneLineThatNoOtherHas() {
    Toy toy = new Good();
    assertThat(Extensions.text(toy, Map.of())).isEqualTo("good-toy-2(version=\"v 1\")");
    assertThat(Extensions.text(toy, Map.of("b", "2", "a", "1")))
        .isEqualTo("good-toy-2(version=\"v 1\" \"a\"=\"1\" \"b\"=\"2\")");
    assertThat(Extensions.text(toy, Map.of("a", "1\" \"b\"=\"2")))
        .isEqualTo("good-toy-2(version=\"v 1\" \"a\"=\"1\\\" \\\"b\\\"=\\\"2\")")
        .isNotEqualTo(Extensions.text(toy, Map.of("b", "2", "a", "1")));
    assertThat(Extensions.text(toy, Map.of("a", "x\ny"))).doesNotContain("\n");
  }

  @Test
  void judgesWhatMayFollowFromARecord() {
    Extensions.judge(new IllegalStateException());
    Extensions.judge(new NoSuchMethodError("x"));
    Extensions.judge(new StackOverflowError());
    Extensions.judge(new AssertionError());
    Extensions.requireLinked("it", new AssertionError());
    assertThatThrownBy(() -> Extensions.requireLinked("it", new NoSuchMethodError("x")))
        .isInstanceOf(ExtensionException.class);
    OutOfMemoryError full = new OutOfMemoryError();
    assertThatThrownBy(() -> Extensions.judge(full)).isSameAs(full);
  }
}
