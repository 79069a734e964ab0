BqJ0Suuu9uYuuu'u=uUu-uu^uu6u
u-uXuAuSuGuEu!uYu