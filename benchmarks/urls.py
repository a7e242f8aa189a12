"""The site's URLs, and below /bench/ control points and peers of page views."""

from django.urls import include, path

from benchmarks import views

urlpatterns = [
    *(
        path(f"bench/{view.__name__}", view)
        for view in (views.perform, views.comment, views.import_file, views.raw, views.touch, views.plain)
    ),
    path("bench/template", views.template),
    path("", include("project.urls")),
]
